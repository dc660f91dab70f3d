// Before the first paint, so that a chosen theme does not flash the other one. A classic script: modules come later.
try {
  document.documentElement.dataset.theme = localStorage.getItem("eglantine-theme") ?? "system";
} catch {
  document.documentElement.dataset.theme = "system";
}
