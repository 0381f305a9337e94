export const phoneExample = '+31\u00a06\u00a012345678';
