import { z } from 'zod';
import { refusedBy } from '../field-issues.rules.ts';
import { prose } from '../operation.ts';
import { plainEmail } from './contact.rules.ts';
import { hasPhoneOrEmail } from './contact-details.rules.ts';

/**
 * The address of an account, by the shape that better-auth 1.7 accepts. A domain such as bücher.example is stored in
 * ASCII, as mail servers write it.
 */
export const accountEmail = (max: number) =>
  z.string().max(max).meta({ format: 'email' }).transform(plainEmail).pipe(z.email().max(max));

/** An address to write to: any local part that mail servers deliver, such as `r&d@`, at a domain with a dot. */
export const contactEmail = (max: number) =>
  z
    .string()
    .max(max)
    .meta({ format: 'email' })
    .transform(plainEmail)
    .pipe(
      z
        .email({ pattern: z.regexes.html5Email })
        .max(max)
        .refine(
          (address) => !/^\.|\.\.|\.@/.test(address) && /\.[^.]{2,}$/.test(address),
          refusedBy('email', 'an email address'),
        ),
    );

/** A worker's text that businesses read before a hire, so it may contain no phone number or email address. */
export const proseWithoutContact = (max: number) =>
  prose(max).refine(
    (text) => !hasPhoneOrEmail(text),
    refusedBy('contact-details', 'no phone numbers or email addresses'),
  );
