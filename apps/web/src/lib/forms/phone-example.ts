/** How a phone number is typed, in hints and problems: unbreakable, so that it stays on one line. */
export const phoneExample = '+31\u00a06\u00a012345678';
