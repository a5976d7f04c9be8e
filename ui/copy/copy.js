// Copies a text. Browsers give the clipboard to pages that came by https or from this machine; elsewhere the older way may still work.

const SHOWN = 4000; // milliseconds that "Copied" stays

// The text must be selected in the page, and within the dialog, which keeps the focus to itself.
function copySelected(text, place) {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position: fixed; opacity: 0";
  place.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

async function copy(text, place) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, place);
  }
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".rope-copy");
  const [button, said] = [root.querySelector("button"), root.querySelector("[role=status]")];
  button.textContent = data.label;
  if (root.ropeText !== data.text) said.textContent = ""; // another text was not copied yet
  root.ropeText = data.text;
  button.onclick = async () => {
    const done = await copy(data.text, root);
    button.focus();
    said.textContent = done ? `✓ ${data.done}` : data.failed;
    clearTimeout(root.ropeTimer);
    if (done) root.ropeTimer = setTimeout(() => (said.textContent = ""), SHOWN);
  };
  return () => clearTimeout(root.ropeTimer);
}
