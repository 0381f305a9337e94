/** How many businesses one account can follow. Two requests at once can pass it by one. */
export const mostFollowedBusinesses = 200;

/** The part of `/favorite` that lists the businesses. */
export const followedBusinessesPath = '/favorite?part=businesses';
