// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 0.895819597 -10.6557035 37.2419078 53.9173589 22.2025113 -1.76726454 28.2701373 16.0223313 -24.7053472 16.7917832 39.2743693 63.279308 12.2042682 -36.3681194 -10.8574101 11.4860638
// cost: 9 instructions, 630306 ticks
module {
  func.func public @main(%arg0: tensor<2503x3xf32>) -> (tensor<2503x6xf32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<2503x3xf32>) -> tensor<1x2503x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<1x2503x1x3xf32>) -> tensor<1x2503x2x3xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x2503x2x3xf32>) -> tensor<2503x6xf32>
    return %2 : tensor<2503x6xf32>
  }
}
