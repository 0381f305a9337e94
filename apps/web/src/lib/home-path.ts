/** Home: the jobs nearby (spec §2). */
export const homePath = '/tabs/menu/explore';
