// Formulas once lived on this page. Old links to them, with the formula as fragment, lead to the Quadratic page.
if (location.hash.startsWith("#v=")) location.replace(`quadratic.html${location.hash}`);
