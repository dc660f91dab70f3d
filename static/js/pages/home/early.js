// The home page once had the formulas. Old links have the formula as their fragment, and we send them on to the Quadratic page.
if (location.hash.startsWith("#v=")) location.replace(`quadratic.html${location.hash}`);
