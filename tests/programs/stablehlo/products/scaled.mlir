// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -148.240468 -121.799211 -144.126055 -129.935534 -138.973023 -124.998429 -89.9813444 -121.735055 -113.561847 -112.631001 -122.146933 -142.5491 -116.439637 -114.602875 -115.225118 -120.028853
// cost: 6 instructions, 677190 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>, %arg1: tensor<60x33xf32>) -> (tensor<40x33xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x60xf32>, tensor<60x33xf32>) -> tensor<40x33xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x33xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<40x33xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x33xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<40x33xf32>
    return %4 : tensor<40x33xf32>
  }
}
