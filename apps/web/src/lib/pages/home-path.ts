export const homePath = '/tabs/menu/explore';
