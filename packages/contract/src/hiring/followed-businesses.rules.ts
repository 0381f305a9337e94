/** The most businesses an account can follow. Two concurrent requests can exceed it by one. */
export const mostFollowedBusinesses = 200;

export const followedBusinessesPath = '/favorite?part=businesses';
