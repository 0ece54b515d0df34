// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 22975b97e9aa360e
// cost: 1 instructions, 204833 ticks
module {
  func.func public @main(%arg0: tensor<50x33xf32>) -> (tensor<13x17xf32>) {
    %0 = stablehlo.slice %arg0 [1:40:3, 0:33:2] : (tensor<50x33xf32>) -> tensor<13x17xf32>
    return %0 : tensor<13x17xf32>
  }
}
