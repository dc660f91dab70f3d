import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/node_modules/", ".venv/", "static/vendor/", "static/build/", "static/js/packs/", "dist/", "**/*.min.js"] },
  js.configs.recommended,
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      "default-case-last": "error",
      eqeqeq: "error",
      "no-alert": "error",
      "no-constructor-return": "error",
      "no-else-return": "error",
      "no-eval": "error", // nor may a formula ever be code
      "no-implicit-coercion": ["error", { boolean: false }],
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Use named exports: a name reads the same everywhere." },
      ],
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-throw-literal": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false }], // helpers stand below what calls them
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-object-spread": "error",
      "prefer-rest-params": "error",
      "prefer-template": "error",
      "symbol-description": "error",
    },
  },
  { files: ["static/**"], languageOptions: { globals: { ...globals.browser, WebAssembly: "readonly" } } },
  { files: ["static/**/*worker*", "static/js/worker/**", "static/sw.js"], languageOptions: { globals: globals.worker } },
  { files: ["tools/**", "tests/**"], languageOptions: { globals: globals.node } },
  { files: ["pyodide_pkg/**"], languageOptions: { globals: { WebAssembly: "readonly" } } },
  { files: ["pyodide_pkg/eglantine/figures/**"], languageOptions: { globals: globals.browser } },
  { files: ["bench/**"], languageOptions: { globals: { ...globals.browser, WebAssembly: "readonly" } } },
  { files: ["eslint.config.js"], rules: { "no-restricted-syntax": "off" } }, // eslint wants a default export
];
