/** What a text gives away before there is an agreement: a phone number, an email address, a link or a messenger's name. */
export const contactDetails = ['phone', 'email', 'link', 'messenger'] as const;
export type ContactDetail = (typeof contactDetails)[number];

const spelled: Record<ContactDetail, RegExp> = {
  // Seven digits and more, with the marks people put between them; not a time span, an amount or a date.
  phone: /(?<![\p{L}\p{N}.,:€$£])(?:\+|00)?\d(?:[\s().\-/]{0,2}\d){7,14}(?![\p{L}\p{N}])/u,
  // Begun where a word begins and nowhere within it: tried at each of its letters, a long word without a sign of an address would cost its square.
  email:
    /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+\s?(?:@|\(at\)|\[at\])\s?[\p{L}\p{N}-]+(?:\s?(?:\.|\(dot\)|\[dot\])\s?[\p{L}]{2,})+/iu,
  link: /(?:https?:\/\/|www\.)\S+|(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]+\.(?:com|net|org|io|me|co|nl|de|uk|eu|be|fr|app|link)(?:\/\S*)?(?![\p{L}\p{N}])/iu,
  messenger:
    /(?<![\p{L}])(?:whats\s?app|telegram|signal app|viber|wechat|messenger|snap\s?chat|insta(?:gram)?|t\.me|wa\.me)(?![\p{L}])/iu,
};
const dateOrTime =
  /\b\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|\b\d{1,2}[:.]\d{2}\s*(?:-|–|to)\s*\d{1,2}[:.]\d{2}\b/g;

/**
 * Finds contact details in what somebody writes. Before they hire one another the writer is warned and both see the warning; nothing is
 * taken out or held back (product.md, Conversation). Pure: the app asks it while one types, the server when it stores.
 */
export function findContactDetails(text: string): ContactDetail[] {
  const plain = text.normalize('NFKC').replace(dateOrTime, ' ');
  return contactDetails.filter((detail) => spelled[detail].test(plain));
}
