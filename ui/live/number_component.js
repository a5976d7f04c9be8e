// Streamlit calls this for every run of the script.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rope-number");
  root.ropeNumber ??= new NumberControl(root);
  root.ropeNumber.update(data, (released) => setTriggerValue("released", released));
  return () => root.ropeNumber.end();
}
