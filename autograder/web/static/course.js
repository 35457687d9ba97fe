// Progressive: every page works without this file.
"use strict";

// an attempt that waits: its place in the queue, how far it is, then its results
const stage = document.querySelector("[data-events]");
if (stage) {
  const events = new EventSource(stage.dataset.events);
  events.onmessage = (event) => { stage.firstElementChild.textContent = event.data; };
  events.addEventListener("checks", (event) => {
    document.getElementById("so-far").innerHTML = event.data;  // escaped by the server's template
  });
  events.addEventListener("done", () => { events.close(); location.reload(); });
}

// grading by keys
const form = document.getElementById("grading");
if (form) {
  const comment = document.getElementById("comment");
  const earlier = document.getElementById("earlier");
  const go = (id) => { const link = document.getElementById(id); if (link) link.click(); };
  if (earlier) {
    earlier.addEventListener("change", () => {
      if (!earlier.value) return;
      comment.value = [comment.value.trim(), earlier.value].filter(Boolean).join("\n");
      earlier.value = "";
      comment.focus();
    });
  }
  const none = form.querySelector("[name=item-none]");
  form.addEventListener("change", (event) => {  // some items, or none of them
    if (none && event.target === none && none.checked) {
      for (const item of form.querySelectorAll("[data-points]")) item.checked = false;
    } else if (none && event.target.matches("[data-points]")) none.checked = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") { document.activeElement.blur(); return; }
    if (event.target.matches("textarea, select, input:not([type=radio], [type=checkbox])")) return;
    const choice = form.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    const act = {
      a: () => document.getElementById("adjustment").focus(),
      c: () => comment.focus(),
      e: () => earlier && earlier.focus(),
      n: () => go("skip"),
      p: () => go("earlier-answer"),
      s: () => form.requestSubmit(),
      v: () => go("whole"),
    }[event.key];
    if (choice) {
      if (choice.type === "checkbox") choice.click(); else choice.checked = true;
      choice.focus();
      event.preventDefault();
    }
    else if (act) { act(); event.preventDefault(); }
  });
}
