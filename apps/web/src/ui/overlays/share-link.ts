import { t } from '@lingui/core/macro';
import { nativePlugin } from '../../lib/native/plugins.ts';
import { showToast } from './toast.tsx';

async function copied(text: string, toast: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(toast);
    return true;
  } catch {
    return false;
  }
}

export async function copyText(text: string, toast: string): Promise<void> {
  if (!(await copied(text, toast))) showToast(t`Couldn't copy. Select the text and copy it.`);
}

export async function copyLink(url: string): Promise<void> {
  if (!(await copied(url, t`Link copied.`))) showToast(t`Couldn't copy the link. It's ${url}`);
}

/** Opens the device's share sheet; copies the link if there is none, or it fails. */
export async function shareLink(link: { title: string; text: string; url: string }): Promise<void> {
  const phone = nativePlugin('Share');
  if (phone) {
    try {
      return void (await phone.share(link));
    } catch (failure) {
      if (failure instanceof Error && failure.message === 'Share canceled') return;
      return copyLink(link.url);
    }
  }
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(link);
      return;
    } catch (failure) {
      if (failure instanceof Error && failure.name === 'AbortError') return;
    }
  }
  await copyLink(link.url);
}
