// tolerance: 2e-05
// routines: einsum
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -0.246740444 -3.21076273 -3.98917472 -6.01460117 -5.30743968 -3.01754309 -2.68276067 -4.08843521 0.109851395 10.0779963 -1.61009948 0.0754156137 -1.54786354 0.214667499 -0.778461087 5.04794396
// cost: 0 instructions, 21420 ticks
func.func @main(%x: tensor<4x5x6xf32>, %y: tensor<4x6x7xf32>) -> tensor<4x5x7xf32> {
  %z = stablehlo.einsum %x, %y, config = "bij,bjk->bik" : (tensor<4x5x6xf32>, tensor<4x6x7xf32>) -> tensor<4x5x7xf32>
  return %z : tensor<4x5x7xf32>
}
