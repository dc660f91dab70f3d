// Links to a formula from when it was shown here, with the formula as fragment, stay good.
if (location.hash.startsWith("#v=")) location.replace(`quadratic.html${location.hash}`);
