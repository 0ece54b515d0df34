// tolerance: 2e-05
// routines: atan2
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 19.0324848 -1.35958983 8.10202532 12.441983 0.671388572 4.38408025 9.76475246 6.03700203 -2.36255505 -0.0589782427 3.35689177 0.416839033 -0.259586649 16.2931068 6.61666813 3.63869468
// cost: 6 instructions, 615918 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<37x5xf32>
    %1 = stablehlo.subtract %arg0, %0 : tensor<37x5xf32>
    %2 = stablehlo.reverse %arg0, dims = [0] : tensor<37x5xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<37x5xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<37x5xf32>
    %5 = stablehlo.atan2 %1, %4 : tensor<37x5xf32>
    return %5 : tensor<37x5xf32>
  }
}
