// The page in a notebook's cell: in a frame of its own, which can reach nothing of the notebook.
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "Trainyard";
  frame.style.cssText = "width: 100%; border: 1px solid #8884; border-radius: 4px";
  const size = () => (frame.style.height = `${model.get("height")}px`);
  const load = () => (frame.srcdoc = model.get("page"));
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || data?.trainyard !== "selection") return;
    model.set("selection", data.selection);
    model.save_changes();
  };
  size();
  load();
  model.on("change:height", size);
  model.on("change:page", load);
  window.addEventListener("message", hear);
  el.appendChild(frame);
  return () => {
    model.off("change:height", size);
    model.off("change:page", load);
    window.removeEventListener("message", hear);
  };
}
export default { render };
