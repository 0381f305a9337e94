/** Version of the terms and conditions in force (`/toc`); accepting any other is refused. */
export const termsInForce = '2026-11-01';
