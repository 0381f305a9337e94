/** Home: nearby jobs (spec §2). */
export const homePath = '/tabs/menu/explore';
