// Runs before the first paint, so that a chosen theme never flashes by as the other one.
document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'system';
