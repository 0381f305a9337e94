export const contactDetails = ['phone', 'email', 'link', 'messenger'] as const;
export type ContactDetail = (typeof contactDetails)[number];

const spelled: Record<ContactDetail, RegExp> = {
  // Seven digits or more, with common separators; not a time span, an amount or a date.
  phone: /(?<![\p{L}\p{N}.,:€$£])(?:\+|00)?\d(?:[\s().\-/]{0,2}\d){7,14}(?![\p{L}\p{N}])/u,
  // Anchored at a word start: tried at each letter, a long word without an @ would take quadratic time.
  email:
    /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+\s?(?:@|\(at\)|\[at\])\s?[\p{L}\p{N}-]+(?:\s?(?:\.|\(dot\)|\[dot\])\s?[\p{L}]{2,})+/iu,
  link: /(?:https?:\/\/|www\.)\S+|(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]+\.(?:com|net|org|io|me|co|nl|de|uk|eu|be|fr|app|link)(?:\/\S*)?(?![\p{L}\p{N}])/iu,
  messenger:
    /(?<![\p{L}])(?:whats\s?app|telegram|signal app|viber|wechat|messenger|snap\s?chat|insta(?:gram)?|t\.me|wa\.me)(?![\p{L}])/iu,
};
const dateOrTime =
  /\b\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|\b\d{1,2}[:.]\d{2}\s*(?:-|–|to)\s*\d{1,2}[:.]\d{2}\b/g;
const yearSpan = /(?<!\d[\s().\-/]{0,2})(?:19|20)\d{2}\s?[-/]\s?(?:19|20)\d{2}(?![\s().\-/]{0,2}\d)/g;

/**
 * Contact details in a text. A chat warns about them before a hire; profiles, applications and reviews refuse
 * them (product.md, Conversation).
 */
export function findContactDetails(text: string): ContactDetail[] {
  const plain = text.normalize('NFKC').replace(dateOrTime, ' ').replace(yearSpan, ' ');
  return contactDetails.filter((detail) => spelled[detail].test(plain));
}

/**
 * Profiles and applications name apps and sites as experience, so only phone numbers and email addresses are
 * refused there.
 */
export const hasPhoneOrEmail = (text: string): boolean =>
  findContactDetails(text).some((detail) => detail === 'phone' || detail === 'email');
