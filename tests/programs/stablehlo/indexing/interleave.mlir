// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 513c32a3f10072d1
// cost: 2 instructions, 691678 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>) -> (tensor<20x30xf32>) {
    %0 = stablehlo.slice %arg0 [0:20, 0:30:2] : (tensor<20x30xf32>) -> tensor<20x15xf32>
    %1 = stablehlo.slice %arg0 [0:20, 1:30:2] : (tensor<20x30xf32>) -> tensor<20x15xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<20x15xf32>) -> tensor<20x15x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<20x15xf32>) -> tensor<20x15x1xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 2 : (tensor<20x15x1xf32>, tensor<20x15x1xf32>) -> tensor<20x15x2xf32>
    %5 = stablehlo.reshape %4 : (tensor<20x15x2xf32>) -> tensor<20x30xf32>
    return %5 : tensor<20x30xf32>
  }
}
