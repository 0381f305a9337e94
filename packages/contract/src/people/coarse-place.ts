/** Thousandths of a degree (about 100 m): a device that moves a few steps makes the same, cached request. */
export const coarse = (degrees: number): number => Math.round(degrees * 1_000) / 1_000;

/** The cookie with a guest's chosen place: `52.373,4.894`. The page then includes its jobs (ADR 221). */
export const placeCookie = 'nearhand-place';
