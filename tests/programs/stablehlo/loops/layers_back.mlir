// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -31915307.3 -8608132.53 7940911.6 9381821.79 2184588.31 -33274014.1 4456439.23 0 10264790.3 -1009174.36 3187175.05 17831440.2 2626736.3 -4875002.44 5126580.21 18701055.3
// out: sums -20546514.8 2976220.25 20579625.1 29410721.9 15043704.8 -7275407.47 11389877.3 3805519.48 -5621648.01 -26570651.3 -5806656.6 15398025.2 -6439053.7 -9876340.47 6545813.89 -1877598.37
// cost: 82 instructions, 8324542 ticks
module {
  func.func public @main(%arg0: tensor<4x16xf32>, %arg1: tensor<16x19x16xf32>) -> (tensor<4x16xf32>, tensor<4x19x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x19x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:5 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg0, %iterArg_4 = %0) : tensor<16x19x16xf32>, tensor<i32>, tensor<i32>, tensor<4x16xf32>, tensor<4x19x16xf32>
    cond {
      %c_5 = stablehlo.constant dense<19> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_1, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2:3 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3, %iterArg_4) : (tensor<16x19x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<4x19x16xf32>) -> (tensor<i32>, tensor<4x16xf32>, tensor<4x19x16xf32>)
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg_1, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %3, %2#0, %2#1, %2#2 : tensor<16x19x16xf32>, tensor<i32>, tensor<i32>, tensor<4x16xf32>, tensor<4x19x16xf32>
    }
    return %1#3, %1#4 : tensor<4x16xf32>, tensor<4x19x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x19x16xf32>, %arg1: tensor<i32>, %arg2: tensor<4x16xf32>, %arg3: tensor<4x19x16xf32>) -> (tensor<i32>, tensor<4x16xf32>, tensor<4x19x16xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %2 = stablehlo.multiply %arg2, %1 : tensor<4x16xf32>
    %c_0 = stablehlo.constant dense<18> : tensor<i32>
    %3 = stablehlo.subtract %c_0, %arg1 : tensor<i32>
    %4 = stablehlo.convert %3 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %c_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<16> : tensor<i32>
    %6 = stablehlo.add %c_3, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.select %5, %6, %c_5 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %4, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<19> : tensor<i32>
    %9 = stablehlo.add %4, %c_7 : tensor<i32>
    %10 = stablehlo.select %8, %9, %4 : tensor<i1>, tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.compare LT, %c_8, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %c_11 = stablehlo.constant dense<16> : tensor<i32>
    %12 = stablehlo.add %c_10, %c_11 : tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.select %11, %12, %c_12 : tensor<i1>, tensor<i32>
    %14 = stablehlo.dynamic_slice %arg0, %7, %10, %13, sizes = [16, 1, 16] : (tensor<16x19x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x1x16xf32>
    %15 = stablehlo.reshape %14 : (tensor<16x1x16xf32>) -> tensor<16x16xf32>
    %16 = stablehlo.dot_general %arg2, %15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    %17 = stablehlo.add %2, %16 : tensor<4x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 2] : (tensor<4x16xf32>) -> tensor<4x1x16xf32>
    %c_13 = stablehlo.constant dense<18> : tensor<i32>
    %19 = stablehlo.subtract %c_13, %arg1 : tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.compare LT, %19, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %21 = stablehlo.convert %19 : tensor<i32>
    %c_15 = stablehlo.constant dense<19> : tensor<i32>
    %22 = stablehlo.add %21, %c_15 : tensor<i32>
    %23 = stablehlo.select %20, %22, %19 : tensor<i1>, tensor<i32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.dynamic_update_slice %arg3, %18, %c_16, %23, %c_17 : (tensor<4x19x16xf32>, tensor<4x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x19x16xf32>
    return %0, %17, %24 : tensor<i32>, tensor<4x16xf32>, tensor<4x19x16xf32>
  }
}
