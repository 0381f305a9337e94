/** Loads the code of My work ahead of its first visit. */
export const loadMyWork = () => import('./my-work.screen.tsx');
