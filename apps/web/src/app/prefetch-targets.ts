/**
 * What people open next: members from their side's first screen, guests from a screen before the app proper. Someone who looks around gets nothing ahead, only what
 * they point at. The build lists the files in the page.
 */
export const screensAhead = {
  work: ['explore', 'job-desc', 'my-work', 'account'],
  hire: ['my-business', 'listed-job', 'account'],
};
export const guestScreensAhead = ['explore', 'login', 'register'];
