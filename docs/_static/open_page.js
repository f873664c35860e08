// The list of pages keeps its place from page to page; where that hides the open page, show it.
window.addEventListener("load", () => {
  const list = document.querySelector(".bd-sidebar-primary");
  const open = list && [...list.querySelectorAll(".active > a")].pop();
  if (!open) return;
  const room = list.getBoundingClientRect(), place = open.getBoundingClientRect();
  if (place.top < room.top || place.bottom > room.bottom)
    list.scrollTop += place.top - room.top - room.height / 4;
});
