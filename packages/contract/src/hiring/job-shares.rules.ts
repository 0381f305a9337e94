/**
 * The codes of `s` in links to a job's public page. `directory` is for visits without a code, such as from search
 * engines.
 */
export const shareChannels = ['link', 'qr', 'poster', 'embed', 'share', 'directory'] as const;
export type ShareChannel = (typeof shareChannels)[number];

/** Unknown sources count as the directory, the app's own list of jobs. */
export const channelOf = (source: unknown): ShareChannel =>
  shareChannels.find((channel) => channel === source) ?? 'directory';

export const posterSizes = ['a4', 'a6'] as const;
export type PosterSize = (typeof posterSizes)[number];

/** A job's card for a frame on another site. Root-relative. */
export const embedCardPath = (shortId: string): string => `/embed/j/${shortId}`;

/** The script that lists a business's open jobs on another site. Root-relative. */
export const embedListPath = (businessShortId: string): string => `/embed/b/${businessShortId}.js`;

/** The height in CSS pixels at which a frame shows the card without scrolling. */
export const embedCardHeight = 260;
