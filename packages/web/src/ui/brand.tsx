/** Three lines led through one ring and out as one. */
export function BrandMark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      className="shrink-0 text-accent"
    >
      <path d="M2.5 4.5c4 0 5.2 2.2 6 3.7M2.5 10h5M2.5 15.5c4 0 5.2-2.2 6-3.7M12.6 10h5" />
      <circle cx="10.1" cy="10" r="2.5" />
    </svg>
  );
}
