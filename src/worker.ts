/** The Worker's door: placeholder wiring until entry/ stands. */
export default {
  fetch: () => new Response('kotodama'),
} satisfies ExportedHandler
