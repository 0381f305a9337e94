import { whole } from './config-shapes.ts';

/** Settings of the pages that anyone can read (ADR 153). */
export const publicPageSettings = {
  PUBLIC_PAGES_PER_MINUTE: {
    shape: whole(1, 1_000_000).default(600),
    doc: 'Public pages (/j, /b, /jobs, sitemaps) per network address in one minute; a crawler reads about ten a second.',
  },
  PUBLIC_PICTURES_PER_MINUTE: {
    shape: whole(1, 1_000_000).default(60),
    doc: 'Pictures of jobs for link previews per network address in one minute; drawing one takes a tenth of a second.',
  },
  SITEMAP_FILE_ROWS: {
    shape: whole(1, 50_000).default(50_000),
    doc: 'Addresses in one sitemap file; search engines accept up to 50,000.',
  },
};
