/** How many businesses one account can follow. Two requests at once can pass it by one. */
export const mostFollowedBusinesses = 200;

export const followedBusinessesPath = '/favorite?part=businesses';
