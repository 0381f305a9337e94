/** The most businesses an account can follow. Two concurrent requests can exceed it by one. */
export const followedBusinessesMax = 200;

export const followedBusinessesPath = '/favorite?part=businesses';
