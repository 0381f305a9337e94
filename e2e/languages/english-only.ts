/** Journeys in English only, by a part of their file and title, with the reason. */
export const englishOnly: Record<string, string> = {
  'languages-hired.spec.ts': 'runs in Dutch and Arabic by itself',
  'languages.spec.ts': 'names the languages of its browsers',
  'longer-words.spec.ts': 'has a made-up language, made from Dutch',
  'first-paint.spec.ts': 'pages drawn at build are in English, and hidden in other languages (ADR 227)',
  'stripe.spec.ts': 'passes through pages of Stripe’s stand-in, which are in English',
};
