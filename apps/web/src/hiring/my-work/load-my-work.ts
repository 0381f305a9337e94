export const loadMyWork = () => import('./my-work.screen.tsx');
