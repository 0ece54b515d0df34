// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 76a9dce683e5353e
// cost: 1 instructions, 187560 ticks
module {
  func.func public @main(%arg0: tensor<30x32xf32>) -> (tensor<4x30x8xf32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<30x32xf32>) -> tensor<30x4x8xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<30x4x8xf32>) -> tensor<4x30x8xf32>
    return %1 : tensor<4x30x8xf32>
  }
}
