import { z } from 'zod';

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** A web view's origin, never `null` or `*`, which any page could have. */
const isOrigin = (text: string): boolean => /^(https|capacitor|ionic):\/\/[a-z\d.-]+(:\d+)?$/.test(text);

const fingerprint = /^([\dA-F]{2}:){31}[\dA-F]{2}$/;

export const nativeSettings = {
  NATIVE_ORIGINS: {
    shape: z
      .string()
      .transform(list)
      .refine((origins) => origins.every(isOrigin), 'origins such as https://localhost, separated by commas')
      .default([]),
    doc: 'Origins of the native apps, separated by commas, which may call the API and sign in: `https://localhost` (Android) and `capacitor://localhost` (iOS). None by default.',
  },
  ANDROID_APP_ID: {
    shape: z
      .string()
      .regex(/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/, 'an application id such as com.nearhand.app')
      .default('com.nearhand.app'),
    doc: 'Application id of the Android app that opens links to this server.',
  },
  ANDROID_CERTIFICATES: {
    shape: z
      .string()
      .transform((text) => list(text.toUpperCase()))
      .refine(
        (all) => all.every((text) => fingerprint.test(text)),
        'SHA-256 fingerprints such as AB:12:…, separated by commas',
      )
      .default([]),
    doc: 'SHA-256 fingerprints of the certificates that sign the Android app, separated by commas; without one /.well-known/assetlinks.json does not exist.',
  },
  IOS_APP_IDS: {
    shape: z
      .string()
      .transform(list)
      .refine(
        (ids) => ids.every((id) => /^[\dA-Z]{10}\.[\w-]+(\.[\w-]+)+$/.test(id)),
        'ids such as ABCDE12345.com.nearhand.app, separated by commas',
      )
      .default([]),
    doc: 'Team and bundle id of the iOS apps that open links to this server, separated by commas; without one /.well-known/apple-app-site-association does not exist.',
  },
};
