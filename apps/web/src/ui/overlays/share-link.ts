import { t } from '@lingui/core/macro';
import { showToast } from './toast.tsx';

/** Copies a link and says so; shows it where the clipboard is not available. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    showToast(t`Link copied.`);
  } catch {
    showToast(t`Couldn't copy the link. It's ${url}`);
  }
}

/** Opens the device's share sheet; copies the link where there is none, or it fails. */
export async function shareLink(link: { title: string; text: string; url: string }): Promise<void> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(link);
      return;
    } catch (failure) {
      // Closing it without choosing is no failure.
      if (failure instanceof Error && failure.name === 'AbortError') return;
    }
  }
  await copyLink(link.url);
}
