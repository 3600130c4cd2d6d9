// Optional: cycles system, light, dark. Without it the system decides.
const root = document.documentElement;
const order = ["system", "light", "dark"];
const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
let now = order.includes(stored()) ? stored() : "system";
const show = () => {
  if (now === "system") delete root.dataset.theme; else root.dataset.theme = now;
  document.querySelector("[data-theme-switch]")?.setAttribute("aria-label", `Theme: ${now}. Change theme`);
};
show();
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-theme-switch]")) return;
  now = order[(order.indexOf(now) + 1) % order.length];
  try { localStorage.setItem("theme", now); } catch { /* a private window: the choice lasts for this page */ }
  show();
});
