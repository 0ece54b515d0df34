// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: hash add4ee4f2c135bbd
// cost: 11 instructions, 718829 ticks
module {
  func.func public @main(%arg0: tensor<140x30xf32>, %arg1: tensor<30xf32>, %arg2: tensor<140xf32>) -> (tensor<140x30xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<30xf32>) -> tensor<1x30xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x30xf32>) -> tensor<140x30xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<140x30xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<140xf32>) -> tensor<140x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<140x1xf32>) -> tensor<140x30xf32>
    %5 = stablehlo.multiply %2, %4 : tensor<140x30xf32>
    return %5 : tensor<140x30xf32>
  }
}
