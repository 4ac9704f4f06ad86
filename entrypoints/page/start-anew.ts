/** Forgets what pages themselves have stored, and opens this one anew. */
export function startAnew(): void {
  localStorage.clear();
  location.reload();
}
