/** A phone as most workers hold it. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** A laptop, as businesses and operators use it. */
export const desktop = { viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false };
