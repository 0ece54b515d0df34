// Dark or light.
import { theme } from "./state.ts";

export function setTheme(name: "dark" | "light"): void {
  theme.value = name;
  document.documentElement.dataset.theme = name;
}

export function toggleTheme(): void {
  setTheme(theme.value === "dark" ? "light" : "dark");
}
