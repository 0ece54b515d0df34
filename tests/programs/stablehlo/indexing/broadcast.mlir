// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash b302bcfebb4383d8
// cost: 1 instructions, 244217 ticks
module {
  func.func public @main(%arg0: tensor<20xf32>) -> (tensor<3x20x7xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<20xf32>) -> tensor<1x20x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<1x20x1xf32>) -> tensor<3x20x7xf32>
    return %1 : tensor<3x20x7xf32>
  }
}
