// Optional: buttons marked data-copy copy the code of the block that they stand in, and say so.
const copied = async (text) => {
  try { await navigator.clipboard.writeText(text); return true; } catch { return false; }
};
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  const code = button?.closest(".code-box")?.querySelector("pre");
  if (!code) return;
  let done = await copied(code.textContent);
  if (!done) {
    // an address without https: the selection is copied instead, or at least ready to be
    getSelection().selectAllChildren(code);
    done = document.execCommand?.("copy") ?? false;
  }
  const said = button.textContent;
  button.textContent = done ? "Copied" : "Selected";
  setTimeout(() => { if (button.textContent !== said) button.textContent = "Copy"; }, 1500);
});
