// Until there is a home page, this one is Quadratic; and links of before it, which have a formula as fragment, stay good.
location.replace(`quadratic.html${location.hash}`);
