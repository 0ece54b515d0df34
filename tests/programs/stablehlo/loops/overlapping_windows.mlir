// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.170166165 -0.979640067 -0.0630643964 -1.60751319 1.5242269 -1.77403712 -0.153584287 -1.25806236 1.19707608 -1.04017186 -1.77896774 1.8646239 1.40268922 2.48630762 -1.10276532 -0.68877852 -0.0873634443 1.90281618 -0.593504667 0.795486152 0.00525946915 0.375415921 -0.26050657 0.724958062 1.22127795 -1.72707093 -0.490801156 0.156750023 1.19302773 2.31322241 -3.00726295 -0.28789103
// out: sums 163.594005 91.9917572 176.064353 112.494619 142.862418 103.705787 123.170178 111.623167 141.574662 211.963696 127.6365 73.1716333 172.147705 176.539085 73.6170073 107.602425
// cost: 118 instructions, 8480735 ticks
module {
  func.func public @main(%arg0: tensor<40x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<22x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<22x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2:6 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %c, %iterArg_5 = %0, %iterArg_6 = %1) : tensor<40x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8xf32>, tensor<22x8xf32>
    cond {
      %c_7 = stablehlo.constant dense<20> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_3, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3:3 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_4, %iterArg_5, %iterArg_6) : (tensor<40x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<22x8xf32>) -> (tensor<i32>, tensor<4x8xf32>, tensor<22x8xf32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg_3, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %4, %3#0, %3#1, %3#2 : tensor<40x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8xf32>, tensor<22x8xf32>
    }
    return %2#4, %2#5 : tensor<4x8xf32>, tensor<22x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<40x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>, %arg3: tensor<4x8xf32>, %arg4: tensor<22x8xf32>) -> (tensor<i32>, tensor<4x8xf32>, tensor<22x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg2, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.multiply %c_0, %arg2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.convert %1 : tensor<i32>
    %c_2 = stablehlo.constant dense<40> : tensor<i32>
    %4 = stablehlo.add %3, %c_2 : tensor<i32>
    %5 = stablehlo.select %2, %4, %1 : tensor<i1>, tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.dynamic_slice %arg0, %5, %c_3, sizes = [4, 8] : (tensor<40x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.multiply %arg3, %7 : tensor<4x8xf32>
    %9 = stablehlo.dot_general %6, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %10 = stablehlo.add %8, %9 : tensor<4x8xf32>
    %11 = stablehlo.slice %10 [0:1, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
    %12 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %14 = stablehlo.add %11, %13 : tensor<1x8xf32>
    %c_4 = stablehlo.constant dense<3> : tensor<i32>
    %15 = stablehlo.add %arg2, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.compare LT, %15, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %17 = stablehlo.convert %15 : tensor<i32>
    %c_6 = stablehlo.constant dense<22> : tensor<i32>
    %18 = stablehlo.add %17, %c_6 : tensor<i32>
    %19 = stablehlo.select %16, %18, %15 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.dynamic_update_slice %arg4, %14, %19, %c_7 : (tensor<22x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<22x8xf32>
    return %0, %10, %20 : tensor<i32>, tensor<4x8xf32>, tensor<22x8xf32>
  }
}
